"""What can go wrong between the board and the service; each error is a built-in too, so plain code can catch it."""


class HardwareError(Exception):
    """Anything the hardware layer reports."""


class SensorLost(HardwareError, OSError):
    """The sensors can no longer be read; the driver goes on trying and the next good read ends the loss."""


class LayoutError(HardwareError, ValueError):
    """The configured layout contradicts itself."""


class CalibrationError(HardwareError, ValueError):
    """A calibration is incomplete, damaged, or belongs to another board."""


class LightError(HardwareError, ValueError):
    """A light setting makes no sense, or a frame does not fit the board."""


class LightsUnavailable(HardwareError, OSError):
    """The pixels cannot be driven on this machine as it is; the message says what to do about it."""


class GpioError(HardwareError, ValueError):
    """The settings of a part on GPIO pins make no sense: a pin is used twice, or there is no such pin."""


class GpioUnavailable(HardwareError, OSError):
    """There are no pins to be used on this machine as it is; the message says what to do about it."""


class PanelUnavailable(HardwareError, OSError):
    """The panel cannot be used on this machine as it is; the message says what to do about it."""

namespace Mux.Generators.Messages.Models;

/// <summary>How a value of the framework that is neither number nor text is written. The names are those of the runtime's methods.</summary>
internal enum FrameworkForm
{
    BclGuid,
    BclDecimal,
    BclDateTime,
    BclTimeSpan,
    Timestamp,
    Duration,
    GuidText,
    GuidBytes,
    DecimalText,
    DateOnly,
    TimeOnly,
}

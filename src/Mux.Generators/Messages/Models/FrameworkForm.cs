namespace Mux.Generators.Messages.Models;

/// <summary>Encodings of framework values that are neither numbers nor strings. The names are those of the runtime's methods.</summary>
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

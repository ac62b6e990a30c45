namespace Mux.Description.Json;

/// <summary>Messages with their own form in JSON.</summary>
internal enum WellKnown
{
    None,
    Timestamp,
    Duration,
    FieldMask,
    Wrapper,
    Struct,
    Value,
    ListValue,
    Any,
    DateTime,
    TimeSpan,
    Guid,
    Decimal,
}

namespace Mux.Generators.Messages.Reading;

/// <summary>Values of Mux.MuxCompatibilityLevel and ProtoBuf.CompatibilityLevel, matched by number.</summary>
internal enum CompatibilityLevel
{
    /// <summary>Like level 200.</summary>
    NotSpecified = 0,

    /// <summary>protobuf-net's own messages for dates, spans, Guid and decimal.</summary>
    Level200 = 200,

    /// <summary>Timestamp and Duration for dates and spans.</summary>
    Level240 = 240,

    /// <summary>Text for Guid and decimal as well.</summary>
    Level300 = 300,
}

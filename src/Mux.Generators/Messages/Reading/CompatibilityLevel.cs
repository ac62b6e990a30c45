namespace Mux.Generators.Messages.Reading;

/// <summary>The values of ProtoBuf.CompatibilityLevel, which is matched by its numbers.</summary>
internal enum CompatibilityLevel
{
    /// <summary>As level 200.</summary>
    NotSpecified = 0,

    /// <summary>protobuf-net's own messages for dates, spans, Guid and decimal.</summary>
    Level200 = 200,

    /// <summary>Timestamp and Duration for dates and spans.</summary>
    Level240 = 240,

    /// <summary>Text for Guid and decimal as well.</summary>
    Level300 = 300,
}

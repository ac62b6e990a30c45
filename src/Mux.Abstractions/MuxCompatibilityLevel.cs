namespace Mux;

/// <summary>
/// How dates, spans, <see cref="Guid"/> and <see cref="decimal"/> are written: the levels of protobuf-net, with its numbers. Declared by
/// <see cref="MuxCompatibilityLevelAttribute"/>. Another level has other bytes, so a level never changes once messages are in use.
/// </summary>
public enum MuxCompatibilityLevel
{
    /// <summary>The level of the place around: of the type, the module or the assembly, and 200 if none of them has one.</summary>
    NotSpecified = 0,

    /// <summary>
    /// Messages of protobuf-net's own, which no other library knows. The level of everything without a level, and of the bytes that protobuf-net 2 wrote.
    /// </summary>
    Level200 = 200,

    /// <summary>
    /// <see cref="DateTime"/> and <see cref="TimeSpan"/> as Google's Timestamp and Duration; <see cref="Guid"/> and <see cref="decimal"/> as at level 200.
    /// </summary>
    Level240 = 240,

    /// <summary>
    /// Timestamp and Duration, and <see cref="Guid"/> and <see cref="decimal"/> as text: readable by every library. For all new contracts.
    /// </summary>
    Level300 = 300,
}

namespace Mux;

/// <summary>
/// Sets how dates, spans, <see cref="Guid"/> and <see cref="decimal"/> of messages are written. The nearest one applies: of the member, the type or its base
/// class, the module, the assembly. For new contracts once per project:
/// <c>[assembly: MuxCompatibilityLevel(MuxCompatibilityLevel.Level300)]</c>.
/// </summary>
/// <remarks>
/// Means the same as protobuf-net's <c>[CompatibilityLevel]</c>, which counts as well; a place that has both must say
/// the same twice. The library protobuf-net itself reads only its own attribute: if it reads or writes the same
/// classes, use that one. On a contract, the level applies to arguments, results and items of streams that are no
/// messages, and to tuples; <see cref="SingleValues"/> is for those that are sent alone.
/// </remarks>
/// <param name="level">The level. Values other than those of the enumeration are an error at build time (MUX0038).</param>
[AttributeUsage(
    AttributeTargets.Assembly | AttributeTargets.Module | AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Interface
        | AttributeTargets.Property | AttributeTargets.Field)]
public sealed class MuxCompatibilityLevelAttribute(MuxCompatibilityLevel level) : Attribute
{
    /// <summary>Gets the level.</summary>
    public MuxCompatibilityLevel Level { get; } = level;

    /// <summary>
    /// Gets or sets the level of values that are sent alone: a date, a span, a <see cref="Guid"/>, a
    /// <see cref="decimal"/> or a collection of them that is the only argument of a method, its result, or an item of a
    /// stream. The nearest one applies: of the contract, its module, its assembly; those of messages and members have
    /// no effect. The default, <see cref="MuxCompatibilityLevel.NotSpecified"/>, is the level of the contract, so that
    /// another parameter may be appended. <see cref="MuxCompatibilityLevel.Level200"/> is for contracts with peers that
    /// use protobuf-net.Grpc, which writes such values at level 200 whatever the contract declares. Values other than
    /// those of the enumeration are an error at build time (MUX0038).
    /// </summary>
    public MuxCompatibilityLevel SingleValues { get; set; }
}

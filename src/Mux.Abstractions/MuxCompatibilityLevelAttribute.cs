namespace Mux;

/// <summary>
/// Sets how dates, spans, <see cref="Guid"/> and <see cref="decimal"/> of messages are written. The nearest one applies: of the member, the type or its base
/// class, the module, the assembly. For new contracts once per project:
/// <c>[assembly: MuxCompatibilityLevel(MuxCompatibilityLevel.Level300)]</c>.
/// </summary>
/// <remarks>
/// Means the same as protobuf-net's <c>[CompatibilityLevel]</c>, which counts as well; a place that has both must say the same twice. The library protobuf-net
/// itself reads only its own attribute: if it reads or writes the same classes, use that one. On a contract, the level applies to the arguments of methods with
/// several arguments; a value that is sent alone is always written at level 200, as by protobuf-net.
/// </remarks>
/// <param name="level">The level. Values other than those of the enumeration are an error at build time (MUX0038).</param>
[AttributeUsage(
    AttributeTargets.Assembly | AttributeTargets.Module | AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Interface
        | AttributeTargets.Property | AttributeTargets.Field)]
public sealed class MuxCompatibilityLevelAttribute(MuxCompatibilityLevel level) : Attribute
{
    /// <summary>Gets the level.</summary>
    public MuxCompatibilityLevel Level { get; } = level;
}

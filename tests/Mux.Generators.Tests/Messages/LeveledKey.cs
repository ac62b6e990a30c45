using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Written as a Guid of its own level.</summary>
[ProtoContract(Surrogate = typeof(Guid))]
[CompatibilityLevel(CompatibilityLevel.Level300)]
public readonly record struct LeveledKey(Guid Id)
{
    public static explicit operator Guid(LeveledKey key) => key.Id;

    public static explicit operator LeveledKey(Guid id) => new(id);
}

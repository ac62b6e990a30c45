using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Written as a number; both types could convert it, the surrogate only by name.</summary>
[ProtoContract(Surrogate = typeof(int))]
public readonly struct Level(int value)
{
    public int Value { get; } = value;

    public static implicit operator int(Level level) => level.Value;

    public static implicit operator Level(int value) => new(value);
}

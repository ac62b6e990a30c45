using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>A class that is written as a number.</summary>
[ProtoContract(Surrogate = typeof(int))]
public sealed record Score(int Points)
{
    public static implicit operator int(Score? score) => score?.Points ?? 0;

    public static implicit operator Score(int points) => new(points);
}

using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Made without its constructor, which would preset the name.</summary>
[ProtoContract(SkipConstructor = true)]
public sealed class Puppy : Dog
{
    private Puppy() => Name = "preset";

    [ProtoMember(1)]
    public double Weight { get; init; }

    public static Puppy Create(string? name, int age, double weight) => new() { Name = name, Age = age, Weight = weight };
}

using Mux.Serialization;

namespace Mux.Generators.Messages.Models;

/// <summary>A value that is written as another one, which is no message: its surrogate.</summary>
/// <param name="TypeName">As in the base.</param>
/// <param name="Codec">The class that converts.</param>
/// <param name="IsStruct">Whether the value is a struct.</param>
/// <param name="Surrogate">What is written.</param>
internal sealed record ConvertedModel(string TypeName, string Codec, bool IsStruct, ValueModel Surrogate) : ValueModel(TypeName)
{
    public override string Kind => Surrogate.Kind;

    public override WireType WireType => Surrogate.WireType;

    public override bool CanBeNull => !IsStruct;

    /// <summary>Bytes of memory that one takes, about.</summary>
    public int Size { get; init; }
}

using Mux.Generators.Messages.Models;
using Mux.Protobuf;

namespace Mux.Generators.Contracts.Models;

/// <summary>A message that the generator wraps around a value: a struct with its own codec, next to the codec of the message with the member.</summary>
/// <param name="TypeName">C# type of the content, as the member or the collection declares it.</param>
/// <param name="Form">Purpose.</param>
/// <param name="Message">The struct, named after the member and the form; see <see cref="At"/>.</param>
/// <param name="IsGroup">True if it is written between two tags instead of after a length. Both are read.</param>
/// <param name="IsNullable">True if null is a valid C# value, which is then not written.</param>
/// <param name="Size">Memory in bytes of an entry until it is added to its map.</param>
internal sealed record EnvelopeModel(string TypeName, EnvelopeForm Form, MessageModel Message, bool IsGroup, bool IsNullable, int Size = 0)
    : ValueModel(TypeName)
{
    /// <summary>True for an entry whose code all messages with such entries share; see SharedEntries.</summary>
    public bool IsShared { get; init; }

    public override string Kind => IsGroup ? "group" : "message";

    public override WireType WireType => IsGroup ? WireType.StartGroup : WireType.Bytes;

    public override bool CanBeNull => IsNullable;

    public override bool DependsOnLevel => Message.Members.Any(static member => member.Value.DependsOnLevel);

    /// <summary>Returns it with names that no other wrapper has.</summary>
    public override ValueModel At(string member)
    {
        var name = $"{member}_{Form}";
        var members = Message.Members.Select(inner => inner with { Value = inner.Value.At($"{name}_{inner.Name}") });
        return this with { Message = Message with { TypeName = name, Codec = name + "Codec", Members = new EquatableArray<MemberModel>([.. members]) } };
    }
}

using Mux.Generators.Messages.Models;
using Mux.Serialization;

namespace Mux.Generators.Contracts.Models;

/// <summary>A message that the generator makes around values: a struct beside the codec of the message that has the member, with a codec of its own.</summary>
/// <param name="TypeName">The C# type of what is in it, as the member or the collection holds it.</param>
/// <param name="Form">What it is for.</param>
/// <param name="Message">The struct. Its name is that of the member and the form, see <see cref="At"/>.</param>
/// <param name="IsGroup">Whether it is written between two tags instead of behind a length. Both are read.</param>
/// <param name="IsNullable">Whether null is a value of the C# type that is not written at all.</param>
/// <param name="Size">Bytes that an entry takes until it is put into its map.</param>
internal sealed record EnvelopeModel(string TypeName, EnvelopeForm Form, MessageModel Message, bool IsGroup, bool IsNullable, int Size = 0)
    : ValueModel(TypeName)
{
    public override string Kind => IsGroup ? "group" : "message";

    public override WireType WireType => IsGroup ? WireType.StartGroup : WireType.Bytes;

    public override bool CanBeNull => IsNullable;

    /// <summary>The same with names that no other message around values has.</summary>
    public override ValueModel At(string member)
    {
        var name = member + Form;
        var members = Message.Members.Select(inner => inner with { Value = inner.Value.At(name + inner.Name) });
        return this with { Message = Message with { TypeName = name, Codec = name + "Codec", Members = new EquatableArray<MemberModel>([.. members]) } };
    }
}

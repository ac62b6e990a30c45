using Mux.Protobuf;

namespace Mux.Generators.Messages.Models;

/// <summary>One value after a tag: a member that is not a list, or an item of a list.</summary>
/// <param name="TypeName">The C# type, fully qualified, with nullable annotations inside.</param>
internal abstract record ValueModel(string TypeName)
{
    /// <summary>
    /// True for a value of an imported message, read and written as protobuf does, and not as protobuf-net does.
    /// </summary>
    public bool FollowsProtobuf { get; init; }

    /// <summary>Wire type of the value.</summary>
    public abstract WireType WireType { get; }

    /// <summary>Text of the value for the fingerprint of a shape; nested content is added there.</summary>
    public virtual string Kind => $"wire {(int)WireType}";

    /// <summary>True if null is a value of the C# type.</summary>
    public virtual bool CanBeNull => true;

    /// <summary>True if another compatibility level at its place would write it in another form.</summary>
    public virtual bool DependsOnLevel => false;

    /// <summary>Maximum size of a value after its tag; 0 if it is not known in advance.</summary>
    public virtual int MaxSize => 0;

    /// <summary>C# expression to compare with the omitted value.</summary>
    public virtual string Comparable(string value) => value;

    /// <summary>C# literal of the value that entries of a map omit; null if they write every value but null.</summary>
    public virtual string? ZeroInEntry => null;

    /// <summary>Returns it as the value of a member: types generated for it get names from the member.</summary>
    public virtual ValueModel At(string member) => this;

    /// <summary>The tag of a field that holds one such value.</summary>
    public uint TagOf(int number) => ((uint)number << 3) | (uint)WireType;
}

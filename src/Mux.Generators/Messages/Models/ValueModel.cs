using Mux.Serialization;

namespace Mux.Generators.Messages.Models;

/// <summary>One value as it stands behind a tag: a member that is no list, or an item of one.</summary>
/// <param name="TypeName">The C# type, fully qualified, with nullable annotations inside.</param>
internal abstract record ValueModel(string TypeName)
{
    /// <summary>The wire type behind which the value is written.</summary>
    public abstract WireType WireType { get; }

    /// <summary>What the value is in the text of which the fingerprint of a shape is made; what is inside it is added there.</summary>
    public virtual string Kind => $"wire {(int)WireType}";

    /// <summary>Whether null is a value of the C# type.</summary>
    public virtual bool CanBeNull => true;

    /// <summary>The most bytes that a value takes behind its tag; 0 if nothing is known before it is there.</summary>
    public virtual int MaxSize => 0;

    /// <summary>What is compared with the value that is left out.</summary>
    public virtual string Comparable(string value) => value;

    /// <summary>A C# literal of the value that a map leaves out of its entries; null if it writes every value but null.</summary>
    public virtual string? ZeroInEntry => null;

    /// <summary>The same as the value of a member: types that are generated for it get their names.</summary>
    public virtual ValueModel At(string member) => this;

    /// <summary>The tag of a field that holds one such value.</summary>
    public uint TagOf(int number) => ((uint)number << 3) | (uint)WireType;
}

using Mux.Serialization;

namespace Mux.Generators.Models;

/// <summary>One value as it stands behind a tag: a member that is no list, or an item of one.</summary>
/// <param name="TypeName">The C# type, fully qualified, with nullable annotations inside.</param>
internal abstract record ValueModel(string TypeName)
{
    /// <summary>The wire type behind which the value is written.</summary>
    public abstract WireType WireType { get; }

    /// <summary>Whether null is a value of the C# type.</summary>
    public virtual bool CanBeNull => true;
}

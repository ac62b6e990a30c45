using System.ComponentModel;

namespace Mux;

/// <summary>
/// Names the message, enum or service of a <c>.proto</c> file from which a type was made. The build adds it to the types of <c>&lt;MuxProto&gt;</c> files
/// (docs/proto-first.md), so that descriptions of contracts use the names of the file. Such a message is read and written
/// as protobuf does, not as protobuf-net does.
/// </summary>
/// <param name="package">The package of the file; empty if it has none.</param>
/// <param name="name">The name in the package: that of a nested type begins with the names around it, such as <c>Order.Line</c>.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Enum | AttributeTargets.Interface, Inherited = false)]
public sealed class MuxProtoAttribute(string package, string name) : Attribute
{
    /// <summary>Gets the package; empty for none.</summary>
    public string Package { get; } = package;

    /// <summary>Gets the name in the package.</summary>
    public string Name { get; } = name;
}

using System.ComponentModel;
using System.Text;

namespace Mux.Contracts;

/// <summary>
/// Collects the protobuf descriptors of contracts and of the messages that they reach, which generated code adds. The package Mux.Description makes files of
/// them. Not safe for concurrent use.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class ContractDescription
{
    private readonly List<DescriptionPart> _parts = [];
    private readonly HashSet<string> _names = new(StringComparer.Ordinal);

    /// <summary>Gets the types so far, in the order in which they were added.</summary>
    public IReadOnlyList<DescriptionPart> Parts => _parts;

    /// <summary>Adds a message of a proto3 file.</summary>
    /// <returns>False if the type was added before.</returns>
    public bool AddMessage(string package, ReadOnlySpan<byte> descriptor) => Add(DescriptionKind.Message, package, descriptor);

    /// <summary>Adds a message of a proto2 file.</summary>
    /// <inheritdoc cref="AddMessage"/>
    public bool AddProto2Message(string package, ReadOnlySpan<byte> descriptor) => Add(DescriptionKind.Proto2Message, package, descriptor);

    /// <summary>Adds an enum.</summary>
    /// <inheritdoc cref="AddMessage"/>
    public bool AddEnum(string package, ReadOnlySpan<byte> descriptor) => Add(DescriptionKind.Enum, package, descriptor);

    /// <summary>Adds an enum of a proto2 file.</summary>
    /// <inheritdoc cref="AddMessage"/>
    public bool AddProto2Enum(string package, ReadOnlySpan<byte> descriptor) => Add(DescriptionKind.Proto2Enum, package, descriptor);

    /// <summary>Adds a service.</summary>
    /// <inheritdoc cref="AddMessage"/>
    public bool AddService(string package, ReadOnlySpan<byte> descriptor) => Add(DescriptionKind.Service, package, descriptor);

    private bool Add(DescriptionKind kind, string package, ReadOnlySpan<byte> descriptor)
    {
        if (!_names.Add($"{package}.{NameOf(descriptor)}")) return false;
        _parts.Add(new DescriptionPart(kind, package, descriptor.ToArray()));
        return true;
    }

    // Every descriptor begins with its name: the tag of field 1, the length, the text.
    private static string NameOf(ReadOnlySpan<byte> descriptor)
    {
        int length = descriptor[1] & 0x7F;
        int start = 2;
        if (descriptor[1] > 0x7F) length |= descriptor[start++] << 7;
        return Encoding.UTF8.GetString(descriptor.Slice(start, length));
    }
}

using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>Kinds of parts of a description.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public enum DescriptionKind
{
    /// <summary>A DescriptorProto for a proto3 file.</summary>
    Message,

    /// <summary>A DescriptorProto for a proto2 file, because it has groups, or defaults other than zero.</summary>
    Proto2Message,

    /// <summary>An EnumDescriptorProto for a proto3 file.</summary>
    Enum,

    /// <summary>A ServiceDescriptorProto for a proto3 file.</summary>
    Service,

    /// <summary>An EnumDescriptorProto for a proto2 file, because it was read from one: its first value need not be zero.</summary>
    Proto2Enum,
}

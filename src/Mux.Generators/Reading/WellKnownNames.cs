namespace Mux.Generators.Reading;

/// <summary>Full names of the types that contracts are recognized by. Matched as text, so that nothing but the type itself has to be there.</summary>
internal static class WellKnownNames
{
    public const string MuxService = "Mux.MuxServiceAttribute";
    public const string MuxMethod = "Mux.MuxMethodAttribute";

    public const string DataContract = "System.Runtime.Serialization.DataContractAttribute";
    public const string DataMember = "System.Runtime.Serialization.DataMemberAttribute";
    public const string DefaultValue = "System.ComponentModel.DefaultValueAttribute";
    public const string NonSerialized = "System.NonSerializedAttribute";

    public const string ProtoBufNamespace = "ProtoBuf.";
    public const string ProtoContract = "ProtoBuf.ProtoContractAttribute";
    public const string ProtoMember = "ProtoBuf.ProtoMemberAttribute";
    public const string ProtoIgnore = "ProtoBuf.ProtoIgnoreAttribute";
    public const string ProtoInclude = "ProtoBuf.ProtoIncludeAttribute";
    public const string ProtoReserved = "ProtoBuf.ProtoReservedAttribute";
    public const string CompatibilityLevel = "ProtoBuf.CompatibilityLevelAttribute";
    public const string Extensible = "ProtoBuf.IExtensible";
    public const string TypedExtensible = "ProtoBuf.ITypedExtensible";

    public const string XmlType = "System.Xml.Serialization.XmlTypeAttribute";
    public const string XmlElement = "System.Xml.Serialization.XmlElementAttribute";
    public const string XmlArray = "System.Xml.Serialization.XmlArrayAttribute";

    public const string CancellationToken = "System.Threading.CancellationToken";
    public const string ValueTask = "System.Threading.Tasks.ValueTask";
    public const string Task = "System.Threading.Tasks.Task";
    public const string AsyncEnumerable = "System.Collections.Generic.IAsyncEnumerable";
    public const string List = "System.Collections.Generic.List";

    /// <summary>Attributes on methods that protobuf-net calls around serialization.</summary>
    public static readonly HashSet<string> Callbacks = new(StringComparer.Ordinal)
    {
        "ProtoBuf.ProtoBeforeSerializationAttribute",
        "ProtoBuf.ProtoAfterSerializationAttribute",
        "ProtoBuf.ProtoBeforeDeserializationAttribute",
        "ProtoBuf.ProtoAfterDeserializationAttribute",
        "System.Runtime.Serialization.OnSerializingAttribute",
        "System.Runtime.Serialization.OnSerializedAttribute",
        "System.Runtime.Serialization.OnDeserializingAttribute",
        "System.Runtime.Serialization.OnDeserializedAttribute",
    };
}

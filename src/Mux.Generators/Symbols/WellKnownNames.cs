namespace Mux.Generators.Symbols;

/// <summary>Full names of the types that identify contracts. Matched as text, so that only the type itself must be present.</summary>
internal static class WellKnownNames
{
    public const string Obsolete = "System.ObsoleteAttribute";
    public const string MuxService = "Mux.MuxServiceAttribute";
    public const string GeneratedCode = "System.CodeDom.Compiler.GeneratedCodeAttribute";
    public const string MuxMethod = "Mux.MuxMethodAttribute";
    public const string MuxAuthorize = "Mux.MuxAuthorizeAttribute";
    public const string MuxAllowAnonymous = "Mux.MuxAllowAnonymousAttribute";
    public const string MuxError = "Mux.MuxErrorAttribute";
    public const string MuxCallback = "Mux.MuxCallbackAttribute";
    public const string MuxProto = "Mux.MuxProtoAttribute";
    public const string MuxKey = "Mux.MuxKeyAttribute";
    public const string MuxCallOptions = "Mux.MuxCallOptions";
    public const string MuxResult = "Mux.MuxResult";
    public const string PayloadSerializer = "Mux.Serialization.IPayloadSerializer";
    public const string PayloadFormat = "Mux.Serialization.PayloadFormatAttribute";
    public const string GeneratedCodec = "Mux.Serialization.GeneratedCodec";
    public const string MuxCompatibilityLevel = "Mux.MuxCompatibilityLevelAttribute";
    public const string ServiceContract = "Mux.Contracts.ServiceContract`1";
    public const string MuxUnit = "Mux.MuxUnit";
    public const string UnknownFields = "Mux.UnknownFields";

    public const string AllowNull = "System.Diagnostics.CodeAnalysis.AllowNullAttribute";
    public const string DataContract = "System.Runtime.Serialization.DataContractAttribute";
    public const string DataMember = "System.Runtime.Serialization.DataMemberAttribute";
    public const string DefaultValue = "System.ComponentModel.DefaultValueAttribute";
    public const string IgnoreDataMember = "System.Runtime.Serialization.IgnoreDataMemberAttribute";
    public const string NonSerialized = "System.NonSerializedAttribute";

    public const string ProtoBufNamespace = "ProtoBuf.";
    public const string ProtoContract = "ProtoBuf.ProtoContractAttribute";
    public const string ProtoMember = "ProtoBuf.ProtoMemberAttribute";
    public const string ProtoEnum = "ProtoBuf.ProtoEnumAttribute";
    public const string ProtoIgnore = "ProtoBuf.ProtoIgnoreAttribute";
    public const string ProtoInclude = "ProtoBuf.ProtoIncludeAttribute";
    public const string ProtoMap = "ProtoBuf.ProtoMapAttribute";
    public const string NullWrappedValue = "ProtoBuf.NullWrappedValueAttribute";
    public const string NullWrappedCollection = "ProtoBuf.NullWrappedCollectionAttribute";
    public const string ProtoPartialMember = "ProtoBuf.ProtoPartialMemberAttribute";
    public const string ProtoPartialIgnore = "ProtoBuf.ProtoPartialIgnoreAttribute";
    public const string ProtoConverter = "ProtoBuf.ProtoConverterAttribute";
    public const string ProtoReserved = "ProtoBuf.ProtoReservedAttribute";
    public const string CompatibilityLevel = "ProtoBuf.CompatibilityLevelAttribute";
    public const string Extensible = "ProtoBuf.IExtensible";
    public const string TypedExtensible = "ProtoBuf.ITypedExtensible";

    public const string XmlType = "System.Xml.Serialization.XmlTypeAttribute";
    public const string XmlElement = "System.Xml.Serialization.XmlElementAttribute";
    public const string XmlArray = "System.Xml.Serialization.XmlArrayAttribute";
    public const string XmlIgnore = "System.Xml.Serialization.XmlIgnoreAttribute";

    public const string Disposable = "System.IDisposable";
    public const string AsyncDisposable = "System.IAsyncDisposable";
    public const string CancellationToken = "System.Threading.CancellationToken";
    public const string ValueTask = "System.Threading.Tasks.ValueTask";
    public const string Task = "System.Threading.Tasks.Task";
    public const string AsyncEnumerable = "System.Collections.Generic.IAsyncEnumerable";
    public const string ChannelReader = "System.Threading.Channels.ChannelReader";
    public const string Stream = "System.IO.Stream";
    public const string PipeReader = "System.IO.Pipelines.PipeReader";
    public const string InlineArray = "System.Runtime.CompilerServices.InlineArrayAttribute";
    public const string List = "System.Collections.Generic.List";
}

// The types of protobuf-net as far as contracts name them, above all its attributes. The generator matches them by name, so that tests and users need no
// package; this file is compiled into the tests and, as text, into whatever the driver tests compile.
#nullable disable
namespace ProtoBuf;

public enum DataFormat { Default, ZigZag, TwosComplement, FixedSize, Group, WellKnown }

public enum ImplicitFields { None, AllPublic, AllFields }

public enum CompatibilityLevel { NotSpecified = 0, Level200 = 200, Level240 = 240, Level300 = 300 }

[System.AttributeUsage(System.AttributeTargets.Class | System.AttributeTargets.Struct | System.AttributeTargets.Enum | System.AttributeTargets.Interface)]
public sealed class ProtoContractAttribute : System.Attribute
{
    public string Name { get; set; }
    public int ImplicitFirstTag { get; set; }
    public bool UseProtoMembersOnly { get; set; }
    public bool IgnoreListHandling { get; set; }
    public ImplicitFields ImplicitFields { get; set; }
    public bool InferTagFromName { get; set; }
    public int DataMemberOffset { get; set; }
    public bool SkipConstructor { get; set; }
    public bool IgnoreUnknownSubTypes { get; set; }
    public bool IsGroup { get; set; }
    public System.Type Surrogate { get; set; }
    public System.Type Serializer { get; set; }
}

[System.AttributeUsage(System.AttributeTargets.Property | System.AttributeTargets.Field)]
public sealed class ProtoMemberAttribute : System.Attribute
{
    public ProtoMemberAttribute(int tag) => Tag = tag;
    public int Tag { get; }
    public string Name { get; set; }
    public DataFormat DataFormat { get; set; }
    public bool IsPacked { get; set; }
    public bool OverwriteList { get; set; }
    public bool IsRequired { get; set; }
    public bool AsReference { get; set; }
    public bool DynamicType { get; set; }
    public MemberSerializationOptions Options { get; set; }
}

[System.Flags]
public enum MemberSerializationOptions { None = 0, Packed = 1, Required = 2, AsReference = 4, DynamicType = 8, OverwriteList = 16, AsReferenceHasValue = 32 }

[System.AttributeUsage(System.AttributeTargets.Field)]
public sealed class ProtoEnumAttribute : System.Attribute
{
    public int Value { get; set; }
    public string Name { get; set; }
}

[System.AttributeUsage(System.AttributeTargets.Property | System.AttributeTargets.Field)]
public sealed class ProtoIgnoreAttribute : System.Attribute;

[System.AttributeUsage(System.AttributeTargets.Class | System.AttributeTargets.Interface, AllowMultiple = true)]
public sealed class ProtoIncludeAttribute : System.Attribute
{
    public ProtoIncludeAttribute(int tag, System.Type knownType) => (Tag, KnownType) = (tag, knownType);
    public ProtoIncludeAttribute(int tag, string knownTypeName) => (Tag, KnownTypeName) = (tag, knownTypeName);
    public int Tag { get; }
    public System.Type KnownType { get; }
    public string KnownTypeName { get; }
    public DataFormat DataFormat { get; set; }
}

[System.AttributeUsage(System.AttributeTargets.Property | System.AttributeTargets.Field)]
public sealed class ProtoMapAttribute : System.Attribute
{
    public DataFormat KeyFormat { get; set; }
    public DataFormat ValueFormat { get; set; }
    public bool DisableMap { get; set; }
}

[System.AttributeUsage(System.AttributeTargets.Property | System.AttributeTargets.Field)]
public sealed class NullWrappedValueAttribute : System.Attribute
{
    public bool AsGroup { get; set; }
}

[System.AttributeUsage(System.AttributeTargets.Property | System.AttributeTargets.Field)]
public sealed class NullWrappedCollectionAttribute : System.Attribute
{
    public bool AsGroup { get; set; }
}

[System.AttributeUsage(System.AttributeTargets.Class | System.AttributeTargets.Struct, AllowMultiple = true)]
public sealed class ProtoPartialMemberAttribute : System.Attribute
{
    public ProtoPartialMemberAttribute(int tag, string memberName) => (Tag, MemberName) = (tag, memberName);
    public int Tag { get; }
    public string MemberName { get; }
    public string Name { get; set; }
    public DataFormat DataFormat { get; set; }
    public bool IsPacked { get; set; }
    public bool IsRequired { get; set; }
    public bool OverwriteList { get; set; }
    public MemberSerializationOptions Options { get; set; }
}

[System.AttributeUsage(System.AttributeTargets.Class | System.AttributeTargets.Struct, AllowMultiple = true)]
public sealed class ProtoPartialIgnoreAttribute : System.Attribute
{
    public ProtoPartialIgnoreAttribute(string memberName) => MemberName = memberName;
    public string MemberName { get; }
}

[System.AttributeUsage(System.AttributeTargets.All)]
public sealed class CompatibilityLevelAttribute : System.Attribute
{
    public CompatibilityLevelAttribute(CompatibilityLevel level) => Level = level;
    public CompatibilityLevel Level { get; }
}

[System.AttributeUsage(System.AttributeTargets.Method)]
public sealed class ProtoBeforeSerializationAttribute : System.Attribute;

[System.AttributeUsage(System.AttributeTargets.Method)]
public sealed class ProtoAfterSerializationAttribute : System.Attribute;

[System.AttributeUsage(System.AttributeTargets.Method)]
public sealed class ProtoBeforeDeserializationAttribute : System.Attribute;

[System.AttributeUsage(System.AttributeTargets.Method)]
public sealed class ProtoAfterDeserializationAttribute : System.Attribute;

[System.AttributeUsage(System.AttributeTargets.Class | System.AttributeTargets.Struct | System.AttributeTargets.Enum | System.AttributeTargets.Interface, AllowMultiple = true)]
public sealed class ProtoReservedAttribute : System.Attribute
{
    public ProtoReservedAttribute(int field, string comment = null) => (From, To, Comment) = (field, field, comment);
    public ProtoReservedAttribute(int from, int to, string comment = null) => (From, To, Comment) = (from, to, comment);
    public ProtoReservedAttribute(string field, string comment = null) => (Name, Comment) = (field, comment);
    public int From { get; }
    public int To { get; }
    public string Name { get; }
    public string Comment { get; }
}

[System.AttributeUsage(System.AttributeTargets.Method)]
public sealed class ProtoConverterAttribute : System.Attribute;

public sealed class SerializationContext
{
    public object Context { get; set; }
}

public interface IExtension
{
    System.IO.Stream BeginAppend();
    void EndAppend(System.IO.Stream stream, bool commit);
    System.IO.Stream BeginQuery();
    void EndQuery(System.IO.Stream stream);
    int GetLength();
}

public interface IExtensible
{
    IExtension GetExtensionObject(bool createIfMissing);
}

public interface ITypedExtensible
{
    IExtension GetExtensionObject(System.Type type, bool createIfMissing);
}

public abstract class Extensible : IExtensible, ITypedExtensible
{
    private readonly System.Collections.Generic.Dictionary<System.Type, IExtension> _byType = [];
    IExtension IExtensible.GetExtensionObject(bool createIfMissing) => GetExtensionObject(GetType(), createIfMissing);
    IExtension ITypedExtensible.GetExtensionObject(System.Type type, bool createIfMissing) => GetExtensionObject(type, createIfMissing);
    public static IExtension GetExtensionObject(ref IExtension extension, bool createIfMissing) => extension ??= createIfMissing ? new MemoryExtension() : null;

    private IExtension GetExtensionObject(System.Type type, bool createIfMissing)
    {
        if (_byType.TryGetValue(type, out var found) || !createIfMissing) return found;
        return _byType[type] = new MemoryExtension();
    }
}

public sealed class MemoryExtension : IExtension
{
    private byte[] _kept = [];
    public System.IO.Stream BeginAppend() => new System.IO.MemoryStream();
    public void EndAppend(System.IO.Stream stream, bool commit) => _kept = commit ? [.. _kept, .. ((System.IO.MemoryStream)stream).ToArray()] : _kept;
    public System.IO.Stream BeginQuery() => new System.IO.MemoryStream(_kept);
    public void EndQuery(System.IO.Stream stream) => stream.Dispose();
    public int GetLength() => _kept.Length;
}

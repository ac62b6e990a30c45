namespace ProtoBuf;

/// <summary>As protobuf-net declares it: the generator goes by names, so that no package is needed.</summary>
[AttributeUsage(AttributeTargets.Class)]
internal sealed class ProtoContractAttribute : Attribute;

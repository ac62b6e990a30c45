namespace Mux.Generators.Describing;

/// <summary>An enum that protobuf can describe: its values have at most 32 bits with sign.</summary>
/// <param name="Name">Name in protobuf.</param>
/// <param name="Values">In declaration order.</param>
internal sealed record EnumModel(ProtoName Name, EquatableArray<EnumValueModel> Values);

using System.Diagnostics.CodeAnalysis;
using ProtoBuf.Meta;

namespace Mux.Serialization.ProtobufNet;

/// <summary>Sends contracts of protobuf-net by its runtime model: what a contract names as <c>Serializer = typeof(ProtobufNetSerializer)</c>.</summary>
/// <remarks>
/// The model reflects and emits code at run time: programs that are trimmed or compiled ahead of time use <see cref="ProtobufNetModelSerializer{TModel}"/>.
/// </remarks>
[PayloadFormat("protobuf")]
public sealed class ProtobufNetSerializer : IPayloadSerializer
{
    private ProtobufNetSerializer()
    {
    }

    /// <summary>
    /// The model of all contracts that name this serializer; not the default one of protobuf-net, whose limits are the application's. Surrogates and types
    /// without attributes are added before the first server starts and the first proxy is made.
    /// </summary>
    public static RuntimeTypeModel Model { get; } = CreateModel();

    /// <inheritdoc/>
    public static void Write<T>(ref MessageWriter writer, T value) => ModelPayloads.Write(Model, ref writer, value);

    /// <inheritdoc/>
    public static T Read<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>(ReadOnlySpan<byte> body) =>
        ModelPayloads.Read<T>(Model, body);

    /// <summary>Compiles the type, which the first message would otherwise wait for.</summary>
    /// <exception cref="NotSupportedException">The model does not take the type.</exception>
    public static void Prepare<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>()
    {
        ModelPayloads.Check<T>(Model);
        if (Model.CanSerializeContractType(typeof(T))) Model[typeof(T)].CompileInPlace();
    }

    private static RuntimeTypeModel CreateModel()
    {
        var model = RuntimeTypeModel.Create(nameof(ProtobufNetSerializer));
        model.MaxDepth = ModelPayloads.MaxDepth;
        return model;
    }
}

using System.Diagnostics.CodeAnalysis;
using ProtoBuf.Meta;

namespace Mux.Serialization.ProtobufNet;

/// <summary>
/// Sends contracts of protobuf-net with its runtime model. A contract names it as <c>Serializer = typeof(ProtobufNetSerializer)</c>.
/// </summary>
/// <remarks>
/// The model uses reflection and emits code at run time. Programs that are trimmed or compiled ahead of time use
/// <see cref="ProtobufNetModelSerializer{TModel}"/>.
/// </remarks>
[PayloadFormat("protobuf")]
public sealed class ProtobufNetSerializer : IPayloadSerializer
{
    private ProtobufNetSerializer()
    {
    }

    /// <summary>
    /// Gets the model of all contracts that name this serializer. It is not the default model of protobuf-net, whose limits belong to the application. Add
    /// surrogates and types without attributes before the first server starts and the first proxy is created.
    /// </summary>
    public static RuntimeTypeModel Model { get; } = CreateModel();

    /// <inheritdoc/>
    public static void Write<T>(ref MessageWriter writer, T value) => ModelPayloads.Write(Model, ref writer, value);

    /// <inheritdoc/>
    public static T Read<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>(ReadOnlySpan<byte> body) =>
        ModelPayloads.Read<T>(Model, body);

    /// <summary>Compiles the type, so that the first message does not wait for it.</summary>
    /// <exception cref="NotSupportedException">The model does not support the type.</exception>
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

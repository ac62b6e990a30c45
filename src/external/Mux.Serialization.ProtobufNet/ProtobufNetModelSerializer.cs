using System.Diagnostics.CodeAnalysis;
using ProtoBuf.Meta;

namespace Mux.Serialization.ProtobufNet;

/// <summary>
/// Sends contracts of protobuf-net by a model of the application's, such as one that protobuf-net has generated at build time: what a contract names as
/// <c>Serializer = typeof(ProtobufNetModelSerializer&lt;ShopModel&gt;)</c>.
/// </summary>
/// <remarks>The model's <see cref="TypeModel.MaxDepth"/> is 64 from then on, if it was more.</remarks>
/// <typeparam name="TModel">The model.</typeparam>
[PayloadFormat("protobuf")]
public sealed class ProtobufNetModelSerializer<TModel> : IPayloadSerializer
    where TModel : TypeModel, IProtobufNetModel<TModel>
{
    private static readonly TModel s_model = LimitDepth(TModel.Instance);

    private ProtobufNetModelSerializer()
    {
    }

    /// <inheritdoc/>
    public static void Write<T>(ref MessageWriter writer, T value) => ModelPayloads.Write(s_model, ref writer, value);

    /// <inheritdoc/>
    public static T Read<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>(ReadOnlySpan<byte> body) =>
        ModelPayloads.Read<T>(s_model, body);

    /// <inheritdoc/>
    public static void Prepare<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>() =>
        ModelPayloads.Check<T>(s_model);

    private static TModel LimitDepth(TModel model)
    {
        model.MaxDepth = Math.Min(model.MaxDepth, ModelPayloads.MaxDepth);
        return model;
    }
}

using System.Diagnostics.CodeAnalysis;
using ProtoBuf.Meta;

namespace Mux.Serialization.ProtobufNet;

/// <summary>
/// Sends contracts of protobuf-net with a model of the application, such as a model that protobuf-net generates at build time. A contract names it as
/// <c>Serializer = typeof(ProtobufNetModelSerializer&lt;ShopModel&gt;)</c>.
/// </summary>
/// <remarks>The model's <see cref="TypeModel.MaxDepth"/> is lowered to 64 if it is more.</remarks>
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

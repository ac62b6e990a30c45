using ProtoBuf.Meta;

namespace Mux.Serialization.ProtobufNet;

/// <summary>
/// What a model of protobuf-net declares so that a contract can name it: <c>[ProtoModel] partial class ShopModel : TypeModel,
/// IProtobufNetModel&lt;ShopModel&gt;</c>. What protobuf-net generates for it implements this.
/// </summary>
/// <typeparam name="TModel">The model itself.</typeparam>
public interface IProtobufNetModel<TModel>
    where TModel : TypeModel
{
    /// <summary>The model. It is asked once.</summary>
    static abstract TModel Instance { get; }
}

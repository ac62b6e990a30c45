using ProtoBuf.Meta;

namespace Mux.Serialization.ProtobufNet;

/// <summary>
/// Makes a model of protobuf-net usable in a contract: <c>[ProtoModel] partial class ShopModel : TypeModel, IProtobufNetModel&lt;ShopModel&gt;</c>. The code
/// that protobuf-net generates for the model implements this interface.
/// </summary>
/// <typeparam name="TModel">The model itself.</typeparam>
public interface IProtobufNetModel<TModel>
    where TModel : TypeModel
{
    /// <summary>Gets the model. Read once.</summary>
    static abstract TModel Instance { get; }
}

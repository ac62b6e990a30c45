namespace Mux.Serialization;

/// <summary>
/// Stands for the protobuf codec that the generator emits, which contracts have unless they name another serializer. It is named only where a service does and
/// one of its methods does not want it: <c>[MuxMethod(Serializer = typeof(GeneratedCodec))]</c>.
/// </summary>
public static class GeneratedCodec
{
}

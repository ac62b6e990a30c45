namespace Mux.Serialization;

/// <summary>
/// Represents the protobuf codec that the generator emits, which contracts use unless they name another serializer. Name it only on a method whose service
/// names another serializer: <c>[MuxMethod(Serializer = typeof(GeneratedCodec))]</c>.
/// </summary>
public static class GeneratedCodec
{
}

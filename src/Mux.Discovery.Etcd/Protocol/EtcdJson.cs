using System.Text.Json.Serialization;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>Metadata of the messages, so that they are read and written without reflection. The interface writes 64-bit numbers as texts.</summary>
[JsonSourceGenerationOptions(NumberHandling = JsonNumberHandling.AllowReadingFromString | JsonNumberHandling.WriteAsString)]
[JsonSerializable(typeof(AuthenticateRequest))]
[JsonSerializable(typeof(AuthenticateResponse))]
[JsonSerializable(typeof(RangeRequest))]
[JsonSerializable(typeof(RangeResponse))]
[JsonSerializable(typeof(PutRequest))]
[JsonSerializable(typeof(LeaseGrantRequest))]
[JsonSerializable(typeof(LeaseRequest))]
[JsonSerializable(typeof(LeaseResponse))]
[JsonSerializable(typeof(StreamLine<LeaseResponse>), TypeInfoPropertyName = "LeaseLine")]
[JsonSerializable(typeof(WatchRequest))]
[JsonSerializable(typeof(StreamLine<WatchResponse>), TypeInfoPropertyName = "WatchLine")]
[JsonSerializable(typeof(Acknowledgement))]
[JsonSerializable(typeof(ErrorBody))]
internal sealed partial class EtcdJson : JsonSerializerContext;

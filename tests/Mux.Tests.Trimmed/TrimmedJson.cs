using System.Text.Json.Serialization;
using Mux.Serialization.Json;

namespace Mux.Tests.Trimmed;

[JsonSerializable(typeof(Leg))]
public sealed partial class TrimmedJson : JsonSerializerContext, IJsonContext<TrimmedJson>;

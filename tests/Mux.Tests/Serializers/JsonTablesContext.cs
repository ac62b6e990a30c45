using System.Text.Json.Serialization;
using Mux.Serialization.Json;

namespace Mux.Tests.Serializers;

[JsonSerializable(typeof(JsonTables)), JsonSerializable(typeof(List<long>)), JsonSerializable(typeof(Dictionary<DayOfWeek, int>))]
public sealed partial class JsonTablesContext : JsonSerializerContext, IJsonContext<JsonTablesContext>;

using System.Text.Json.Serialization;
using Mux.Benchmarks.Codec.Shapes;

namespace Mux.Benchmarks.Codec.Table;

[JsonSerializable(typeof(SearchEmployee))]
[JsonSerializable(typeof(Employee))]
[JsonSerializable(typeof(Order))]
[JsonSerializable(typeof(Attachment))]
[JsonSerializable(typeof(Readings))]
internal sealed partial class TableContext : JsonSerializerContext;

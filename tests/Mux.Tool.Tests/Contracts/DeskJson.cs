using System.Text.Json.Serialization;
using Mux.Serialization.Json;

namespace Mux.Tool.Tests.Contracts;

[JsonSerializable(typeof(Note))]
public sealed partial class DeskJson : JsonSerializerContext, IJsonContext<DeskJson>;

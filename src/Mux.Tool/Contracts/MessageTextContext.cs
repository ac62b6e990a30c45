using System.Text.Json.Serialization;

namespace Mux.Tool.Contracts;

/// <summary>Bytes as JSON has them.</summary>
[JsonSerializable(typeof(byte[]))]
internal sealed partial class MessageTextContext : JsonSerializerContext;

using System.Text.Json.Serialization;
using Mux.Serialization.Json;

namespace Mux.Tests.Serializers;

[JsonSerializable(typeof(AbstractShape))]
public sealed partial class AbstractContext : JsonSerializerContext, IJsonContext<AbstractContext>;

/// <summary>JSON does not tell which class it is.</summary>
public abstract class AbstractShape
{
    public int Number { get; set; }
}

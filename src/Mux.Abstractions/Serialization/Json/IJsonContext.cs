using System.Text.Json.Serialization;

namespace Mux.Serialization.Json;

/// <summary>
/// What a source-generated context of System.Text.Json declares so that a contract can name it: <c>partial class ShopJson : JsonSerializerContext,
/// IJsonContext&lt;ShopJson&gt;</c>. What is generated for it implements this.
/// </summary>
/// <typeparam name="TContext">The context itself.</typeparam>
public interface IJsonContext<TContext>
    where TContext : JsonSerializerContext
{
    /// <summary>
    /// The context with the options of its <see cref="JsonSourceGenerationOptionsAttribute"/>. One that wants others implements this explicitly; it is asked
    /// once.
    /// </summary>
    static abstract TContext Default { get; }
}

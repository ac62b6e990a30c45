using System.Text.Json.Serialization;

namespace Mux.Serialization.Json;

/// <summary>
/// Makes a source-generated context of System.Text.Json usable in a contract: <c>partial class ShopJson : JsonSerializerContext,
/// IJsonContext&lt;ShopJson&gt;</c>. The code that System.Text.Json generates for the context implements this interface.
/// </summary>
/// <typeparam name="TContext">The context itself.</typeparam>
public interface IJsonContext<TContext>
    where TContext : JsonSerializerContext
{
    /// <summary>
    /// Gets the context with the options of its <see cref="JsonSourceGenerationOptionsAttribute"/>. To use other options, implement this property explicitly.
    /// Read once.
    /// </summary>
    static abstract TContext Default { get; }
}

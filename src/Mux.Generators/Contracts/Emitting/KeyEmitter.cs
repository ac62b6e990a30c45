using Mux.Generators.Contracts.Models;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>C# that reads the affinity key of a request.</summary>
internal static class KeyEmitter
{
    /// <summary>Gets a lambda that hashes the key. It allocates nothing.</summary>
    public static string LambdaOf(MethodModel method, KeyModel key)
    {
        var hash = key.CanBeNull ? $"{key.Access} is {{ }} key ? {HashOf("key", key.Form)} : 0UL" : HashOf(key.Access, key.Form);
        return $"static (in {method.Request.TypeName} request) => {hash}";
    }

    private static string HashOf(string value, KeyForm form) => form switch
    {
        KeyForm.Signed => $"KeyHash.Of((long){value})",
        KeyForm.Unsigned => $"KeyHash.Of((ulong){value})",
        KeyForm.Memory => $"KeyHash.Of({value}.Span)",
        _ => $"KeyHash.Of({value})",
    };
}

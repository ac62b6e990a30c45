using Mux;

namespace Shop;

public static class Tenants
{
    public static string Describe(MuxCallContext call)
    {
        string? tenant = call.Metadata["tenant"];                               // the first value as text; null if the caller sent none
        int bytes = call.Metadata.TryGet("trace", out var trace) ? trace.Bytes.Length : 0;
        var tags = call.Metadata.GetAll("tag").Select(entry => entry.Text);     // a key may occur more than once
        return $"{tenant ?? "nobody"}, {bytes}, {string.Join(' ', tags)}";
    }
}

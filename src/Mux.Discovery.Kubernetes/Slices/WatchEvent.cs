using System.Text.Json;

namespace Mux.Discovery.Kubernetes.Slices;

/// <summary>One line of a watch.</summary>
/// <param name="Type">ADDED, MODIFIED, DELETED, BOOKMARK, ERROR, or a type of a later version.</param>
/// <param name="Object">An <see cref="EndpointSlice"/>, or an <see cref="ApiStatus"/> for ERROR.</param>
internal sealed record WatchEvent(string? Type, JsonElement Object)
{
    public const string Added = "ADDED";
    public const string Modified = "MODIFIED";
    public const string Deleted = "DELETED";
    public const string Bookmark = "BOOKMARK";
    public const string Error = "ERROR";
}

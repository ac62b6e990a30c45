using System.Text.Json;
using Mux.Discovery.Kubernetes.Slices;

namespace Mux.Discovery.Kubernetes.Api;

/// <summary>Reads whole answers of the API server, up to a limit.</summary>
internal static class ListedPage
{
    /// <summary>Reads one page of a list.</summary>
    /// <exception cref="InvalidDataException">The page is too long, or is not a list of EndpointSlices.</exception>
    public static async Task<EndpointSliceList> ReadAsync(HttpResponseMessage response, int maxLength, CancellationToken cancellationToken)
    {
        var bytes = await ReadBytesAsync(response, maxLength, cancellationToken).ConfigureAwait(false);
        if (bytes.Length > maxLength) throw new InvalidDataException($"a page of the list is longer than {maxLength} bytes");
        try
        {
            return JsonSerializer.Deserialize(bytes.Span, SliceJson.Default.EndpointSliceList) is { Metadata.ResourceVersion: not null } page
                ? page : throw new InvalidDataException("the answer is not a list of EndpointSlices");
        }
        catch (JsonException error)
        {
            throw new InvalidDataException("the answer is not a list of EndpointSlices", error);
        }
    }

    /// <summary>Reads why the API server refuses. What is not a Status, as from a proxy in between, has no message.</summary>
    public static async Task<ApiStatus> ReadStatusAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        const int maxLength = 64 * 1024;
        var nothing = new ApiStatus(Message: null, response.ReasonPhrase, (int)response.StatusCode);
        var bytes = await ReadBytesAsync(response, maxLength, cancellationToken).ConfigureAwait(false);
        try
        {
            return bytes.Length > maxLength ? nothing : JsonSerializer.Deserialize(bytes.Span, SliceJson.Default.ApiStatus) ?? nothing;
        }
        catch (JsonException)
        {
            return nothing;
        }
    }

    /// <summary>Reads the content, or one byte more than the limit if it is longer.</summary>
    private static async Task<ReadOnlyMemory<byte>> ReadBytesAsync(HttpResponseMessage response, int maxLength, CancellationToken cancellationToken)
    {
        var stream = await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
        await using (stream.ConfigureAwait(false))
        {
            using var content = new MemoryStream();
            var chunk = new byte[16 * 1024];
            while (content.Length <= maxLength)
            {
                int read = await stream.ReadAsync(chunk.AsMemory(0, (int)Math.Min(chunk.Length, maxLength + 1L - content.Length)), cancellationToken)
                    .ConfigureAwait(false);
                if (read == 0) break;
                content.Write(chunk, 0, read);
            }

            return content.GetBuffer().AsMemory(0, (int)content.Length);
        }
    }
}

namespace Mux.Tool.Workloads;

/// <summary>Service of the large replies.</summary>
internal sealed class BulkService : IBulk
{
    private volatile byte[] _content = []; // of the last requested size: a run requests only one

    public ValueTask<BulkReply> GetAsync(int size, long number, CancellationToken cancellationToken = default)
    {
        var content = _content;
        if (content.Length != size) _content = content = BulkContent.Make(size);
        return new(new BulkReply { Number = number, Content = content });
    }
}

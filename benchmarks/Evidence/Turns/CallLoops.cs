using Seeds.Contracts;

namespace Evidence.Turns;

/// <summary>Closed loops that make and check one call after the other. All of them run on the thread that pumps.</summary>
internal sealed class CallLoops(IDirectory directory)
{
    private bool _isOver;

    /// <summary>Calls answered so far.</summary>
    public long Answered { get; private set; }

    public void Start(int count)
    {
        for (int i = 0; i < count; i++) _ = CallAsync();
    }

    public void Stop() => _isOver = true;

    private async Task CallAsync()
    {
        for (double time = 1; !_isOver; time++)
        {
            var employee = await directory.SearchAsync(new SearchEmployee { Id = 1, RequestTime = time });
            if (employee.RequestTime != time || employee.Country?.Length != 3) throw new EvidenceException("A reply is wrong.");
            Answered++;
        }
    }
}

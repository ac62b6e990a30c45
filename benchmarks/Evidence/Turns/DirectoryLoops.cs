using Seeds.Contracts;

namespace Evidence.Turns;

/// <summary>Loops that make the call of the benchmarks.</summary>
internal sealed class DirectoryLoops(IDirectory directory) : CallLoops
{
    protected override async Task RunAsync(double share)
    {
        for (double time = 1; !IsOver; time++)
        {
            var employee = await directory.SearchAsync(new SearchEmployee { Id = 1, RequestTime = time });
            if (employee.RequestTime != time || employee.Country?.Length != 3) throw new EvidenceException("A reply is wrong.");
            Answered++;
        }
    }
}

using System.Diagnostics;
using Acme.Payments;
using Mux.Description;
using Mux.TestSupport.Transports;

namespace Samples.Tests;

/// <summary>samples/14-proto, whose contract is a .proto file.</summary>
public sealed class ProtoTests
{
    [Fact]
    public async Task The_sample_charges_and_lists_what_the_vendors_file_declares()
    {
        var start = new ProcessStartInfo(Path.Combine(AppContext.BaseDirectory, "Payments")) { RedirectStandardOutput = true };
        using var process = Process.Start(start)!;

        string output = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken).Within("the output of the sample");

        await process.WaitForExitAsync(TestContext.Current.CancellationToken).Within("the end of the sample");
        Assert.Equal(0, process.ExitCode);
        Assert.Equal(
            [
                "1. tea: Paid, 1 labels, no note",
                "2. cups: Declined, 0 labels, a note",
                "The latest one that is paid: tea",
                "InvalidArgument: The order names neither a card nor an account.",
            ],
            output.Split('\n', StringSplitOptions.RemoveEmptyEntries));
    }

    [Fact]
    public void The_export_has_the_names_of_the_vendors_file()
    {
        var files = ContractSet.Of<IPayments>().ToProtoFiles().ToDictionary();

        Assert.Contains("acme.payments.proto", files);
        Assert.Contains("oneof method {", files["acme.payments.proto"], StringComparison.Ordinal);
        Assert.Contains("STATUS_PAID = 1;", files["acme.payments.proto"], StringComparison.Ordinal);
    }
}

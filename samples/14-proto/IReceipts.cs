using Acme.Payments;
using Mux;

namespace Payments;

/// <summary>A contract in C# with messages of the vendor.</summary>
[MuxService("shop.Receipts")]
public interface IReceipts
{
    ValueTask<Receipt> LatestAsync(Receipt.Types.Status status, CancellationToken cancellationToken = default);
}
